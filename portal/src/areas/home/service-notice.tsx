/** A notice about the service: an outage, open incidents and planned maintenance. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CalendarClock, TriangleAlert } from 'lucide-react'
import { api, read, type Schemas } from '../../api/client.ts'
import { useFormat } from '../../language/format.ts'
import { useHomeTexts } from './texts.ts'

const REFRESH_MS = 60_000

const noticesQuery = queryOptions({
  queryKey: ['service-notices'],
  queryFn: ({ signal }) => read(api.GET('/service-notices', { signal })),
  refetchInterval: REFRESH_MS,
})

/** Renders nothing if all components work and no maintenance is planned. */
export function ServiceNotice() {
  const { data } = useQuery(noticesQuery)
  if (data === undefined) return null
  if (data.status !== 'operational' || data.incidents.length > 0) return <Problems notices={data} />
  return data.planned.length > 0 ? <Planned notices={data} /> : null
}

function Problems({ notices }: { notices: Schemas['ServiceNotices'] }) {
  const t = useHomeTexts()
  const titles = notices.incidents.map(({ title }) => title).join(' · ')
  return (
    <section className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl bg-warn-soft px-5 py-3.5 text-warn">
      <TriangleAlert className="size-5 shrink-0" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-60 break-words">
        <strong className="font-semibold">{t('service_problem')}</strong> {titles}
      </p>
      <StatusLink url={notices.status_page} />
    </section>
  )
}

function Planned({ notices }: { notices: Schemas['ServiceNotices'] }) {
  const t = useHomeTexts()
  const format = useFormat()
  const [next] = notices.planned
  if (next === undefined) return null
  const from = format.moment(next.starts_at)
  return (
    <section className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl bg-info-soft px-5 py-3.5 text-info">
      <CalendarClock className="size-5 shrink-0" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-60 break-words">
        <strong className="font-semibold">{t('service_planned', { from })}</strong> {next.title}
      </p>
      <StatusLink url={notices.status_page} />
    </section>
  )
}

function StatusLink({ url }: { url: string }) {
  const t = useHomeTexts()
  return (
    <a href={url} target="_blank" rel="noreferrer" className="font-medium text-current! underline">
      {t('service_page')}
    </a>
  )
}
