// On a phone the rows of a table stand as cards, each value behind the heading of its column. Roles are written out,
// since what is no longer laid out as a table is no longer read out as one. Without this the table scrolls.
export const selector = "table.cards-on-phone";

const GIVEN = [["thead, tbody", "rowgroup"], ["tr", "row"], ["thead th", "columnheader"], ["tbody th", "rowheader"], ["td", "cell"]];

export function attach(table) {
  const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  for (const cell of table.querySelectorAll("tbody td")) {
    const heading = headings[cell.cellIndex];
    if (heading) cell.dataset.label = heading;
  }
  for (const [parts, role] of GIVEN) {
    for (const part of table.querySelectorAll(parts)) part.setAttribute("role", role);
  }
  table.setAttribute("role", "table");
}
