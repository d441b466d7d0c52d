/** The navigation on small screens. */
import { Drawer } from '../ui/overlays/drawer.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { Navigation } from './sidebar.tsx'

export function NavigationDrawer({ onClose }: { onClose(): void }) {
  return (
    <Drawer open onClose={onClose} title="Homeport" side="left">
      <div className="flex flex-col gap-4 p-3">
        <ProjectSwitcher />
        <Navigation onNavigate={onClose} />
      </div>
    </Drawer>
  )
}
