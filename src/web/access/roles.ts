import type { Role } from '../../store/operators.ts'

/** Each role may do what the one before it may, and more. */
const order: readonly Role[] = ['analyst', 'ops', 'admin']

export const mayActAs = (role: Role, needed: Role): boolean => order.indexOf(role) >= order.indexOf(needed)
