// Shows a question only while the choice on which it depends is made; a hidden one is not sent.
export const selector = "[data-shown-when]";
export const order = -1; // before the marks and counts of what it shows

function chosen(form, name) {
  return [...form.elements]
    .filter((control) => control.name === name && (control.type === "hidden" || control.checked))
    .map((control) => control.value);
}

export function attach(question) {
  const form = question.closest("form");
  const words = JSON.parse(question.dataset.shownWords);
  const update = () => {
    const isAsked = chosen(form, question.dataset.shownWhen).some((word) => words.includes(word));
    question.hidden = !isAsked;
    for (const control of question.querySelectorAll("input, textarea, select")) control.disabled = !isAsked;
  };
  for (const note of question.querySelectorAll("[data-shown-note]")) note.hidden = true;
  form.addEventListener("change", update);
  update();
}
