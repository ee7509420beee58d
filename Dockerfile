# A name may mean another image tomorrow, a digest never does: give the one that you have checked, for all stages at once,
# `docker build --build-arg NODE_IMAGE=node:24-slim@sha256:<digest> .`
ARG NODE_IMAGE=node:24-slim

# The packages that run, without those that only check.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# DATABASE_URL is always set in a container (compose.yaml), so the embedded PostgreSQL stays out; so does a Node of our own.
RUN npm ci --omit=dev --omit=optional

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    VIGIA_HOME=/var/lib/vigia
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE README.md ./
COPY docs ./docs
COPY config ./config
COPY jobs ./jobs
COPY sql ./sql
COPY src ./src
RUN ln -s /app/src/cli/vigia.js /usr/local/bin/vigia \
 && install -d -o node -g node /var/lib/vigia
USER node
# The root file system may be read-only: reports, inbox and outbox are here. /tmp must be writable, and hold the largest file.
VOLUME /var/lib/vigia
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/cli/vigia.js"]
CMD ["worker"]
