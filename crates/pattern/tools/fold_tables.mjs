// Writes the tables of src/fold/, from the crate's directory:
//   for kind in unit code_point; do node tools/fold_tables.mjs $kind > src/fold/$kind.rs; done; cargo fmt
// Source of the data: the Canonicalize operation of ECMA-262 (22.2.2.7.3) as the running Node performs it.
// Flag i alone: toUpperCase of one UTF-16 unit, kept when it is one unit and does not go from non-ASCII to ASCII.
// Flags i and u: simple case folding, read from the engine by matching each character against all cased ones.
const LAST_UNIT = 0xffff;
const LAST_CODE_POINT = 0x10ffff;
const isSurrogate = code => code >= 0xd800 && code <= 0xdfff;

function unitCanonical(code) {
  const upper = String.fromCharCode(code).toUpperCase();
  if (upper.length !== 1) return code;
  const result = upper.charCodeAt(0);
  return code >= 128 && result < 128 ? code : result;
}

function unitClasses() {
  const classes = new Map();
  for (let code = 0; code <= LAST_UNIT; code++) {
    if (isSurrogate(code)) continue;
    const canonical = unitCanonical(code);
    if (!classes.has(canonical)) classes.set(canonical, []);
    classes.get(canonical).push(code);
  }
  return [...classes.values()].filter(members => members.length > 1);
}

function codePointClasses() {
  const cased = [];
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    if (isSurrogate(code)) continue;
    const text = String.fromCodePoint(code);
    if (text.toUpperCase() !== text || text.toLowerCase() !== text) cased.push(text);
  }
  const all = cased.join('');
  const seen = new Set();
  const classes = [];
  for (const text of cased) {
    if (seen.has(text)) continue;
    const members = all.match(new RegExp(`\\u{${text.codePointAt(0).toString(16)}}`, 'giu'));
    members.forEach(member => seen.add(member));
    if (members.length > 1) classes.push(members.map(member => member.codePointAt(0)));
  }
  return classes;
}

// Each character points at the next of its class, the last at the first. A row is a run of characters of equal
// distance, or, with distance 0, a run of neighbouring pairs that point at each other.
function rows(classes) {
  const next = new Map();
  for (const members of classes) {
    members.sort((a, b) => a - b);
    members.forEach((code, index) => next.set(code, members[(index + 1) % members.length] - code));
  }
  const result = [];
  for (const code of [...next.keys()].sort((a, b) => a - b)) {
    const last = result.at(-1);
    if (last && code <= last.last) continue;
    const distance = next.get(code);
    if (distance === 1 && next.get(code + 1) === -1) {
      if (last && last.distance === 0 && code === last.last + 1) last.last = code + 1;
      else result.push({ first: code, last: code + 1, distance: 0 });
    } else if (last && last.distance === distance && code === last.last + 1) {
      last.last = code;
    } else {
      result.push({ first: code, last: code, distance });
    }
  }
  return result;
}

const hex = code => `0x${code.toString(16)}`;
const [doc, classes] =
  process.argv[2] === 'unit'
    ? ['Case classes of flag `i` without `u`, over UTF-16 units.', unitClasses()]
    : ['Case classes of flags `i` and `u`, over code points.', codePointClasses()];
console.log(`//! ${doc}
//! Made by tools/fold_tables.mjs with Node ${process.versions.node}, Unicode ${process.versions.unicode}; not edited by hand.

use super::Row;

/// The rows, in ascending order.
pub(super) static ROWS: &[Row] = &[
${rows(classes).map(row => `(${hex(row.first)}, ${hex(row.last)}, ${row.distance}),`).join('\n')}
];`);
