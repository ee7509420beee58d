import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** What an image declares about how it is run. */
export type ImageConfig = { User: string; Env: string[]; WorkingDir: string; Entrypoint: string[]; Cmd: string[] }

export type Started = { child: ChildProcess; ended: Promise<{ exitCode: number | null; output: string }> }

/** What is run and where: the image's tree and configuration, its volume, and the settings from outside. */
export type Container = { tree: string; image: ImageConfig; volume: string; env: Record<string, string> }

/**
 * Runs an image's tree like an engine with `--read-only --tmpfs /tmp --cap-drop ALL`: with the image's user, environment
 * and entry point, on a root where only the volume is writable.
 */
export const start = ({ tree, image, volume, env }: Container, args: string[]): Started => {
  const environment = { ...Object.fromEntries(image.Env.map(splitPair)), ...env }
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const inside = ['env', '-i', `--chdir=${image.WorkingDir}`, ...settings, ...image.Entrypoint, ...args]
  const places = { TREE: tree, VOLUME: volume, PLACE: environment.VIGIA_HOME!, OWNER: image.User }
  const child = spawn('unshare', ['--mount', 'sh', '-c', enter, 'sh', ...inside], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...places },
  })
  return { child, ended: endOf(child) }
}

/** Each program replaces the one before it, so a signal to the child reaches the program in the image. */
const enter = `
  set -e
  mount --make-rprivate /
  mount --bind "$TREE" "$TREE"
  mount --bind "$VOLUME" "$TREE$PLACE"
  mount -t tmpfs tmpfs "$TREE/tmp"
  mount -t proc proc "$TREE/proc"
  mount --bind /dev "$TREE/dev"
  mount -o remount,bind,ro "$TREE"
  exec chroot "$TREE" setpriv --reuid="$OWNER" --regid="$OWNER" --init-groups --bounding-set=-all --no-new-privs "$@"`

const splitPair = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

const endOf = async (child: ChildProcess) => {
  const [out, err, [exitCode]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return { exitCode: exitCode as number | null, output: `${out}${err}` }
}
