// Line numbers that scroll with the text of a configuration. A text from a draft is checked like a typed one.
// Tab leaves the field, as in every form.
export const selector = "[data-editor]";

export function attach(editor) {
  const field = editor.querySelector("textarea");
  const gutter = editor.querySelector(".editor-lines");
  let shown = 0;

  const number = () => {
    const lines = field.value.split("\n").length;
    if (lines === shown) return;
    shown = lines;
    gutter.textContent = Array.from({ length: lines }, (_, position) => position + 1).join("\n");
  };
  const level = () => { gutter.scrollTop = field.scrollTop; };

  const check = () => {
    if (field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  gutter.hidden = false;
  for (const name of ["input", "change"]) field.addEventListener(name, () => { number(); level(); });
  field.addEventListener("scroll", level, { passive: true });
  number();
  level();
  if (document.readyState === "complete") check();
  else window.addEventListener("load", check, { once: true });
}
