/** One project, and taking it offline with a reason. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import {
  operatedPlans,
  operatorKey,
  putOnline,
  setPhone,
  setPlan,
  takeOffline,
  type OperatedPlan,
  type OperatedProject,
} from './queries.ts'
import { useOperatorTexts } from './texts.ts'

export interface ProjectDrawerProps {
  project: OperatedProject | null
  onClose(): void
}

export function ProjectDrawer({ project, onClose }: ProjectDrawerProps) {
  return (
    <RecordDrawer record={project} onClose={onClose} title={({ name }) => name}>
      {(project) => (
        <>
          <ProjectFacts project={project} />
          <SetPlan key={project.id} project={project} />
          <Phone project={project} />
          {project.offline === null ? (
            <TakeOffline project={project} />
          ) : (
            <PutOnline project={project} />
          )}
        </>
      )}
    </RecordDrawer>
  )
}

function ProjectFacts({ project }: { project: OperatedProject }) {
  const t = useOperatorTexts()
  const format = useFormat()
  const { offline } = project
  return (
    <Facts
      facts={[
        ...(offline === null
          ? []
          : [
              [t('since'), format.moment(offline.since)] as const,
              [t('reason'), offline.reason] as const,
            ]),
        [t('owner'), project.owner_email ?? t('no_owner')],
        [
          t('plan'),
          <span key="plan" className="capitalize">
            {project.plan}
          </span>,
        ],
        [t('created'), format.date(project.created_at)],
        [t('balance'), format.euro(project.balance_eur)],
        [t('spent'), format.euro(project.spent_this_month_eur)],
        [t('requests'), format.number(project.requests_24h)],
        [t('refused'), format.number(project.refused_24h)],
        [t('errors'), format.number(project.errors_24h)],
        [t('webhooks_off'), format.number(project.disabled_webhooks)],
        [t('jobs_failed'), format.number(project.failed_jobs)],
        [t('sites'), format.number(project.sites)],
        [t('numbers'), format.number(project.numbers)],
        [t('members'), format.number(project.members)],
        [
          t('id'),
          <code key="id" className="font-mono text-sm break-all">
            {project.id}
          </code>,
        ],
      ]}
    />
  )
}

function SetPlan({ project }: { project: OperatedProject }) {
  const t = useOperatorTexts()
  const present = operatedPlans.find((one) => one === project.plan) ?? 'free'
  const [plan, choose] = useState<OperatedPlan>(present)
  const act = useAct({
    run: () => setPlan(project.id, plan),
    done: t('plan_is_set'),
    refresh: [operatorKey],
  })
  return (
    <form
      className="rounded-lg border border-line p-4"
      onSubmit={submit(() => act.mutate(undefined))}
    >
      <h3 className="font-semibold">{t('set_plan')}</h3>
      <p className="mt-0.5 mb-4 text-sm text-muted">{t('set_plan_about')}</p>
      <Select
        label={t('plan')}
        value={plan}
        onChange={choose}
        choices={operatedPlans.map((one) => ({
          value: one,
          text: one.charAt(0).toUpperCase() + one.slice(1),
        }))}
      />
      <Button type="submit" className="mt-4" busy={act.isPending} disabled={plan === present}>
        {t('set_plan')}
      </Button>
    </form>
  )
}

/** Confirms the phone of the owner, on a server that sends no codes or for a person whom none reach. */
function Phone({ project: { id, phone_verified } }: { project: OperatedProject }) {
  const t = useOperatorTexts()
  const act = useAct({
    run: () => setPhone(id, !phone_verified),
    done: t(phone_verified ? 'phone_withdrawn' : 'phone_is_confirmed'),
    refresh: [operatorKey],
  })
  return (
    <section className="rounded-lg border border-line p-4">
      <h3 className="font-semibold">{t('owner_phone')}</h3>
      <p className="mt-0.5 mb-4 text-sm text-muted">
        {t(phone_verified ? 'phone_confirmed' : 'phone_unconfirmed')}
      </p>
      <Button busy={act.isPending} onClick={() => act.mutate(undefined)}>
        {t(phone_verified ? 'withdraw_phone' : 'confirm_phone')}
      </Button>
    </section>
  )
}

function TakeOffline({ project: { id } }: { project: OperatedProject }) {
  const t = useOperatorTexts()
  const [reason, setReason] = useState('')
  const act = useAct({
    run: () => takeOffline(id, reason.trim()),
    done: t('is_offline'),
    refresh: [operatorKey],
    onDone: () => setReason(''),
  })
  return (
    <form
      className="rounded-lg border border-line p-4"
      onSubmit={submit(() => act.mutate(undefined))}
    >
      <h3 className="font-semibold">{t('take_offline')}</h3>
      <p className="mt-0.5 mb-4 text-sm text-muted">{t('take_offline_about')}</p>
      <Field label={t('reason')} hint={t('reason_hint')}>
        <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
      </Field>
      <Button
        type="submit"
        kind="danger"
        className="mt-4"
        busy={act.isPending}
        disabled={reason.trim() === ''}
      >
        {t('take_offline')}
      </Button>
    </form>
  )
}

function PutOnline({ project: { id } }: { project: OperatedProject }) {
  const t = useOperatorTexts()
  const act = useAct({
    run: () => putOnline(id),
    done: t('is_online'),
    refresh: [operatorKey],
  })
  return (
    <div>
      <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
        {t('put_online')}
      </Button>
    </div>
  )
}
