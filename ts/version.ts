/** Version of this package, as in package.json; the build refuses a difference. */
export const VERSION = '0.2.0'
