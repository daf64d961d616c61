// A slider and a number field for the same weight; the form sends the number.
export const selector = "[data-board-weight]";

export function attach(field) {
  const slider = field.querySelector("input[type=range]");
  const number = field.querySelector("input[type=number]");
  slider.hidden = false;
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { slider.value = number.value; });
}
