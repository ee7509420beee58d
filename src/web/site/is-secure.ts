import type { FastifyRequest } from 'fastify'

/** Whether the browser uses https, with us or with the first proxy: each proxy appends its own protocol. */
export const isSecure = ({ protocol, headers }: FastifyRequest): boolean => {
  const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return protocol === 'https' || first.trim().toLowerCase() === 'https'
}
