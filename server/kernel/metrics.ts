/**
 * Prometheus metrics: one registry per process, created with the runtime. Names carry their unit.
 * Label values come from fixed lists, never from ids or input, which bounds the number of series.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** The exposition text of this process, or of all processes of a cluster. */
  text(): Promise<string>
  requests: Histogram<'operation' | 'status'>
  jobs: Counter<'job' | 'outcome'>
  jobs_waiting: Gauge<'state'>
  last_backup: Gauge
  deliveries: Counter<'outcome'>
  unexpected_errors: Counter<'origin'>
  large_bodies: Gauge<'state'>
  request_log_dropped: Counter<'reason'>
  site_views_dropped: Counter<'reason'>
  /** Replies of sites by status. A plain map, because it is incremented for every page served. */
  site_answers: Map<number, number>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const site_answers = new Map<number, number>()
  countSites(registry, site_answers)
  return {
    registry,
    text: () => registry.metrics(),
    requests: new Histogram({
      name: 'homeport_request_seconds',
      help: 'Time from a request of the API to its answer.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    jobs: new Counter({
      name: 'homeport_jobs_total',
      help: 'Jobs by how their run ended: done, retry, dead, set_aside, fenced or abandoned.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    jobs_waiting: new Gauge({
      name: 'homeport_jobs_waiting',
      help: 'Jobs in the queue: waiting for their time, due, leased or dead.',
      labelNames: ['state'],
      registers,
    }),
    last_backup: new Gauge({
      name: 'homeport_last_backup_timestamp_seconds',
      help: 'Start of the newest complete backup in HOMEPORT_BACKUPS, as a Unix time; 0 if this process knows none.',
      aggregator: 'max',
      registers,
    }),
    deliveries: new Counter({
      name: 'homeport_webhook_attempts_total',
      help: 'Attempts to deliver an event, by how they ended.',
      labelNames: ['outcome'],
      registers,
    }),
    unexpected_errors: new Counter({
      name: 'homeport_unexpected_errors_total',
      help: 'Errors that nothing handled: uncaughtException or unhandledRejection. Each is a bug.',
      labelNames: ['origin'],
      registers,
    }),
    large_bodies: new Gauge({
      name: 'homeport_large_bodies',
      help: 'Requests with a large body: being read and carried out, or waiting for their turn.',
      labelNames: ['state'],
      registers,
    }),
    request_log_dropped: new Counter({
      name: 'homeport_request_log_dropped_total',
      help: 'Entries missing in the request log, because the queue was full or the write failed.',
      labelNames: ['reason'],
      registers,
    }),
    site_views_dropped: new Counter({
      name: 'homeport_site_views_dropped_total',
      help: 'Counts of page views that were not kept.',
      labelNames: ['reason'],
      registers,
    }),
    site_answers,
  }
}

/** Reads the map when the metrics are collected. */
function countSites(registry: Registry, answers: ReadonlyMap<number, number>): void {
  const counter = new Counter({
    name: 'homeport_site_requests_total',
    help: 'Requests of hosted sites, by the status of their answers.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      counter.reset()
      for (const [status, count] of answers) counter.inc({ status: String(status) }, count)
    },
  })
}
