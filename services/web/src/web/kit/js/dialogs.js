// A link to a page of help opens the same help in a dialog, without leaving the page.
export const selector = "[data-dialog]";

export function attach(link) {
  const dialog = document.getElementById(link.dataset.dialog);
  if (!dialog) return;
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (!dialog.open) dialog.showModal();
  });
}
