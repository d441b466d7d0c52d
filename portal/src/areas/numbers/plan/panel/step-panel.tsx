/** The form of the chosen step: beside the plan, or above it as a drawer on narrow screens. */
import { useTexts } from '../../../../language/texts.ts'
import { Drawer } from '../../../../ui/overlays/drawer.tsx'
import { usePlanEditor } from '../editor-context.tsx'
import { stepOf } from '../model/plan.ts'
import { useStepNames } from '../names.ts'
import { planTexts } from '../texts.ts'
import { useWide } from '../wide.ts'
import { StepForm } from './step-form.tsx'

export function StepPanel() {
  const t = useTexts(planTexts)
  const stepName = useStepNames()
  const isWide = useWide()
  const { plan, selected, select } = usePlanEditor()
  const step = stepOf(plan, selected)
  if (!isWide) {
    return (
      <Drawer
        side="right"
        open={step !== null}
        onOpenChange={() => select(null)}
        title={step === null ? t('step') : stepName(step)}
      >
        {step !== null && <StepForm key={step.id} step={step} />}
      </Drawer>
    )
  }
  if (step === null) return null
  return (
    <section
      aria-label={t('step')}
      className="relative min-h-0 overflow-y-auto border-l border-line"
    >
      <StepForm key={step.id} step={step} withTitle />
    </section>
  )
}
