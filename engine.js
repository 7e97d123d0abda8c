export * from './dist/engine.js'
