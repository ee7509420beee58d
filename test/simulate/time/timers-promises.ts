export { virtualSleep as setTimeout } from './virtual-clock.ts'
