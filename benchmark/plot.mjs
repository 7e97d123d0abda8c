// Draws the ratios of a benchmark's JSON as bars on a log scale: node benchmark/plot.mjs FILE > PLOT.svg
import { readFileSync } from 'node:fs'

const width = 840
const left = 370
const rowHeight = 26
/** Ratios at the ends of the scale. */
const lowest = 0.01
const highest = 2

/** @param {number} ratio */
const x = (ratio) =>
  (left + ((width - left - 60) * Math.log(ratio / lowest)) / Math.log(highest / lowest)).toFixed(1)

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node benchmark/plot.mjs FILE > PLOT.svg')
/** @type {{outcomes: {name: string, rival: string, ratio?: number}[]}} */
const { outcomes } = JSON.parse(readFileSync(file, 'utf8'))
const bottom = outcomes.length * rowHeight + 30

const scale = [0.02, 0.05, 0.1, 0.2, 0.5, 1].flatMap((ratio) => [
  `<line x1="${x(ratio)}" y1="24" x2="${x(ratio)}" y2="${bottom}" stroke="${ratio === 1 ? '#888' : '#ddd'}"/>`,
  `<text x="${x(ratio)}" y="${bottom + 18}" text-anchor="middle">${ratio === 1 ? 'other = 1' : ratio}</text>`
])
const bars = outcomes.flatMap(({ name, rival, ratio }, index) => {
  const y = 28 + index * rowHeight
  const label = `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${escaped(name)} ÷ ${rival}</text>`
  if (ratio === undefined) return [label]
  return [
    label,
    `<rect x="${left}" y="${y + 2}" width="${Number(x(ratio)) - left}" height="${rowHeight - 8}" fill="#3b7dd8"/>`,
    `<text x="${Number(x(ratio)) + 5}" y="${y + 14}">${ratio.toFixed(3)}</text>`
  ]
})
console.log(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 30}" font-family="sans-serif" font-size="12">`,
    "<title>Time of the native package as a share of the other's time, log scale</title>",
    '<rect width="100%" height="100%" fill="white"/>',
    ...scale,
    ...bars,
    '</svg>'
  ].join('\n')
)
