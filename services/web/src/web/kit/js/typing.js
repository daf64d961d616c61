// The meaning of a keystroke on any keyboard, layout and input method.

// Tells whether the stroke belongs to a word that is being composed. Safari ends the composition before it reports the
// Enter that ended it: that stroke is known by its code alone.
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

const DIGIT = /\p{Nd}/u;

// The value of a digit of any script: digits stand in runs of ten, from zero on.
function valueOf(digit) {
  const isDigit = (code) => DIGIT.test(String.fromCodePoint(code));
  let first = digit.codePointAt(0);
  while (isDigit(first - 1)) first -= 1;
  return String((digit.codePointAt(0) - first) % 10);
}

// The name by which a control may carry the key: the letter or digit that it types. Where the layout gives the key no
// Latin letter and no digit, the name is what a Latin keyboard has in its place.
export function nameOf({ key = "", code = "", shiftKey }) {
  const typed = key.normalize("NFKC").toLowerCase();
  if ([...typed].length !== 1) return key;
  if (DIGIT.test(typed)) return valueOf(typed);
  const [, digit] = (!shiftKey && /^Digit(\d)$/.exec(code)) || [];
  if (digit || /[\x21-\x7e]/.test(typed)) return digit ?? typed;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return letter?.toLowerCase() ?? typed;
}
