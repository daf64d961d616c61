// Removes controls that expire after some seconds, such as the undo button, and moves the focus to the main part of the page.
export const selector = "[data-expires]";

export function attach(element) {
  setTimeout(() => {
    if (element.contains(document.activeElement)) document.getElementById("main").focus();
    element.remove();
  }, 1000 * Number(element.dataset.expires));
}
