/** The ready-made agents. Choosing one opens its settings. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { templatesQuery, type Agent, type AgentTemplate } from '../queries.ts'
import { useTriggerText } from '../state.tsx'
import { useAgentTexts } from '../texts.ts'
import { InstallForm } from './install-form.tsx'

export function ReadyMadeList({ onInstalled }: { onInstalled(agent: Agent): void }) {
  const t = useAgentTexts()
  const query = useQuery(templatesQuery(useProjectScope(), useLanguage()))
  const [chosen, setChosen] = useState<AgentTemplate | null>(null)
  const close = () => setChosen(null)
  return (
    <Card title={t('ready_made')} about={t('ready_made_about')}>
      <QueryState query={query}>
        {(templates) => (
          <ul className="grid gap-3 sm:grid-cols-2">
            {templates.map((template) => (
              <TemplateCard
                key={template.template}
                template={template}
                onChoose={() => setChosen(template)}
              />
            ))}
          </ul>
        )}
      </QueryState>
      <Drawer open={chosen !== null} onClose={close} title={chosen?.name ?? ''}>
        {chosen !== null && (
          <InstallForm template={chosen} onClose={close} onInstalled={onInstalled} />
        )}
      </Drawer>
    </Card>
  )
}

function TemplateCard({ template, onChoose }: { template: AgentTemplate; onChoose(): void }) {
  const t = useAgentTexts()
  const triggerText = useTriggerText()
  const { name, instructions, trigger } = template
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-bg p-4">
      <div className="flex-1">
        <h3 className="font-medium">{name}</h3>
        <p className="text-sm text-muted">{instructions}</p>
        <p className="mt-1 text-sm text-muted">{triggerText(trigger)}</p>
      </div>
      <Button
        size="sm"
        className="self-start"
        aria-label={`${t('use')}: ${name}`}
        onClick={onChoose}
      >
        <Plus aria-hidden="true" />
        {t('use')}
      </Button>
    </li>
  )
}
