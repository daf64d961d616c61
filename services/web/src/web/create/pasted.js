// Counts the characters of a paid text that were pasted and are not in the context; nothing of the clipboard is sent.
// A piece of a paste counts while it stands in the form. What was copied or cut on this page is not from outside.
import { codePoints } from "../kit/js/spans/offsets.js";

export const selector = "input[data-pasted]";

const PIECE = 10; // characters: shorter pieces are in any text
const MOST_PASTES = 50;
const LONGEST_PASTE = 100000;

let pastes = [];
let copied = [];

const selected = ({ target }) =>
  target.value?.slice(target.selectionStart, target.selectionEnd) ?? document.getSelection().toString();
const put = (all, text) => [...all, text].slice(-MOST_PASTES);

function countPasted(text, context) {
  const counted = new Set();
  for (let at = 0; at + PIECE <= text.length; at += 1) {
    const piece = text.slice(at, at + PIECE);
    if (context.includes(piece) || !pastes.some((paste) => paste.includes(piece))) continue;
    for (let place = at; place < at + PIECE; place += 1) counted.add(place);
  }
  return codePoints([...counted].map((place) => text[place]).join(""));
}

document.addEventListener("copy", (event) => { copied = put(copied, selected(event)); });
document.addEventListener("cut", (event) => { copied = put(copied, selected(event)); });
document.addEventListener("paste", ({ clipboardData }) => {
  const text = clipboardData.getData("text/plain").slice(0, LONGEST_PASTE).replaceAll("\r\n", "\n");
  if (!copied.some((own) => own.includes(text))) pastes = put(pastes, text);
});

export function attach(count) {
  const { form } = count;
  const context = document.querySelector(count.dataset.pasted).textContent;
  form.addEventListener("submit", () => {
    const texts = [...form.elements].filter((field) => field.type === "textarea" || field.type === "text");
    count.value = texts.reduce((sum, field) => sum + countPasted(field.value, context), 0);
  }, { capture: true });
}
