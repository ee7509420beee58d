import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { closest } from './closest.ts'
import { type ConfigFile, configFile } from './config-file.ts'
import type { WrongSetting } from './settings-problem.ts'

/** Applies each layer over the one before and validates the result; what is wrong is named by its full path. */
export const layOver = (layers: unknown[], wrong: WrongSetting[]): ConfigFile | undefined => {
  const odd = layers.filter((layer) => !isObject(layer))
  wrong.push(
    ...odd.map((layer) => ({ setting: 'VIGIA_CONFIG', problem: `expected a JSON object, got ${show(layer)}` })),
  )
  const merged = layers.filter(isObject).reduce(merge)
  const { data, error } = configFile.safeParse(merged)
  wrong.push(...(error?.issues ?? []).flatMap((issue) => describeIssue(issue, merged)))
  return data
}

/** The JSON file that `VIGIA_CONFIG` names, or an empty overlay where it cannot be read. */
export const readOverlay = (file: string, cwd: string, wrong: WrongSetting[]): unknown => {
  try {
    return JSON.parse(readFileSync(resolve(cwd, file), 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    wrong.push({ setting: 'VIGIA_CONFIG', problem: code ? `cannot read ${file} (${code})` : `${file}: ${message}` })
    return {}
  }
}

/** Merges objects key by key; lists and plain values are replaced. */
const merge = (under: Json, over: Json): Json => {
  const laid = Object.entries(over).map(([key, value]) => {
    const below = Object.hasOwn(under, key) ? under[key] : undefined
    return [key, isObject(value) && isObject(below) ? merge(below, value) : value]
  })
  return { ...under, ...Object.fromEntries(laid) }
}

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** Explains an issue of zod to the person who wrote the file: what was expected, what was found, what was meant. */
const describeIssue = (issue: Issue, data: Json): WrongSetting[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      setting: written([...issue.path, key]),
      problem: `is not a setting${suggestion(issue.path, key)}`,
    }))
  }
  const setting = written(issue.path)
  const value = valueAt(data, issue.path)
  // An address may carry a secret in its path, so it is never shown.
  const got = /^alerts\.(webhook|slack|teams)/.test(setting) ? '' : `, got ${show(value)}`
  return [{ setting, problem: `${expectation(issue)}${got}${choice(issue, value)}` }]
}

const expectation = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('expected') ? issue.message : `expected ${typeNames[issue.expected]}`
    case 'too_small':
      return issue.origin === 'string' ? 'expected some text' : `expected ${issue.minimum} or more`
    case 'too_big':
      return `expected ${issue.maximum} or less`
    case 'invalid_value':
      return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    default:
      return issue.message
  }
}

const choice = (issue: Issue, value: unknown): string => {
  const meant = issue.code === 'invalid_value' && closest(String(value), issue.values.map(String))
  return meant ? `; did you mean "${meant}"?` : ''
}

const typeNames: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text in quotes',
  boolean: 'true or false',
  object: 'an object in braces',
  array: 'a list in brackets',
}

/** The key that was meant: a near one in the same place, or one of another section. */
const suggestion = (parent: Path, key: string): string => {
  const near = closest(key, Object.keys(shapeAt(parent)))
  const meant = near ? written([...parent, near]) : inAnotherSection(key)
  return meant ? `; did you mean ${meant}?` : ''
}

const inAnotherSection = (key: string): string | undefined => {
  const sections = Object.entries(configFile.shape).map(([section, schema]) => ({ section, keys: shapeOf(schema) }))
  const near = closest(key, new Set(sections.flatMap(({ keys }) => Object.keys(keys))))
  const home = near && sections.find(({ keys }) => near in keys)
  return home ? `${home.section}.${near}` : undefined
}

/** The keys that the schema knows at a path. */
const shapeAt = (path: Path): z.core.$ZodShape => {
  const end = path.reduce<z.core.$ZodType | undefined>((schema, key) => {
    const inner = bare(schema)
    return inner instanceof z.ZodArray ? inner.element : shapeOf(inner)[String(key)]
  }, configFile)
  return shapeOf(end)
}

const shapeOf = (schema: z.core.$ZodType | undefined): z.core.$ZodShape => {
  const inner = bare(schema)
  return inner instanceof z.ZodObject ? inner.shape : {}
}

const bare = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema

const valueAt = (data: Json, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[String(key)], data)

const written = (path: Path): string => path.map(String).join('.')

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a message shows it, cut to 60 characters. */
const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
