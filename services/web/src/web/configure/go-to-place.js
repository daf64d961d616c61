// A link to a position (line and column in code points) moves the cursor there. Without this script it leads to the text.
export const selector = "a[data-goto]";

function offsetOf(text, line, column) {
  const lines = text.split("\n").slice(0, line);
  const last = lines.pop() ?? "";
  const before = lines.reduce((length, each) => length + each.length + 1, 0);
  return before + [...last].slice(0, column - 1).join("").length;
}

export function attach(link) {
  link.addEventListener("click", (event) => {
    const field = document.getElementById(link.hash.slice(1));
    if (!field) return;
    event.preventDefault();
    const [line, column] = link.dataset.goto.split(":").map(Number);
    const offset = offsetOf(field.value, line, column);
    field.focus();
    field.setSelectionRange(offset, offset);
    const height = parseFloat(getComputedStyle(field).lineHeight);
    field.scrollTop = Math.max(0, (line - 4) * height);
    field.scrollLeft = 0;
  });
}
