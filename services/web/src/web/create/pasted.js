// Counts the characters of a paid text that were pasted and are not in the context; nothing of the clipboard is sent.
// A piece of a paste counts while it stands in the form. What was copied or cut on this page is not from outside.
export const selector = "input[data-pasted]";

const PIECE = 10; // characters: shorter pieces are in any text
const MOST_PASTES = 50;
const SECOND_HALF = /[\uDC00-\uDFFF]/; // of a character beyond 16 bits

let pastes = [];
let copied = [];

const selected = ({ target }) =>
  target.value?.slice(target.selectionStart, target.selectionEnd) ?? document.getSelection().toString();
const put = (all, text) => [...all, text].slice(-MOST_PASTES);

function countPasted(texts, context, outside) {
  const counted = new Set();
  for (const paste of outside) {
    for (let start = 0; start + PIECE <= paste.length; start += 1) {
      const piece = paste.slice(start, start + PIECE);
      if (context.includes(piece)) continue;
      for (const [field, text] of texts.entries()) {
        for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
          for (let place = at; place < at + PIECE; place += 1) {
            if (!SECOND_HALF.test(text[place])) counted.add(`${field} ${place}`);
          }
        }
      }
    }
  }
  return counted.size;
}

document.addEventListener("copy", (event) => { copied = put(copied, selected(event)); });
document.addEventListener("cut", (event) => { copied = put(copied, selected(event)); });
document.addEventListener("paste", ({ clipboardData }) => {
  const text = clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
  if (!copied.some((own) => own.includes(text))) pastes = put(pastes, text);
});

export function attach(count) {
  const { form } = count;
  const context = document.querySelector(count.dataset.pasted).textContent;
  form.addEventListener("submit", () => {
    const texts = [...form.elements].filter((field) => field.type === "textarea" || field.type === "text");
    count.value = countPasted(texts.map((field) => field.value), context, pastes);
  }, { capture: true });
}
