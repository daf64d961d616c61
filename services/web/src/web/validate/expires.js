// Takes away what can be used for some seconds only, such as the offer to undo. The focus is not left on nothing.
export const selector = "[data-expires]";

export function attach(element) {
  setTimeout(() => {
    if (element.contains(document.activeElement)) document.getElementById("main").focus();
    element.remove();
  }, 1000 * Number(element.dataset.expires));
}
