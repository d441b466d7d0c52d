/**
 * The pages of a project, in the order and groups of the sidebar. An area adds its page with one
 * entry; its code is loaded when the page is opened.
 */
import {
  BadgeCheck,
  Bot,
  CircleCheckBig,
  CreditCard,
  Database,
  Globe,
  History,
  Image,
  LayoutDashboard,
  KeyRound,
  Phone,
  PhoneCall,
  PhoneForwarded,
  Rocket,
  ScrollText,
  Settings,
  Sparkles,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Role } from './api/session.ts'

export type PageName =
  | 'home'
  | 'start'
  | 'approvals'
  | 'keys'
  | 'webhooks'
  | 'requests'
  | 'activity'
  | 'data'
  | 'sites'
  | 'media'
  | 'assistant'
  | 'numbers'
  | 'calls'
  | 'test_call'
  | 'go_live'
  | 'billing'
  | 'team'
  | 'company'
  | 'settings'
/** Pages of the group `unlisted` are in the command palette, not in the sidebar. */
export type PageGroup = 'unlisted' | 'top' | 'build' | 'records' | 'business'

type LoadPage = () => Promise<{ Page: ComponentType }>

export interface PageEntry {
  name: PageName
  path: string
  group: PageGroup
  icon: LucideIcon
  /** The lowest role that may open the page. */
  role: Role
  load: LoadPage
  /** The page of one record, at a path below that of its list. */
  detail?: { path: string; load: LoadPage }
}

export const pages: readonly PageEntry[] = [
  {
    name: 'home',
    path: '/',
    group: 'top',
    icon: LayoutDashboard,
    role: 'viewer',
    load: () => import('./areas/home/home-page.tsx'),
  },
  {
    name: 'start',
    path: '/start',
    group: 'unlisted',
    icon: Sparkles,
    role: 'viewer',
    load: () => import('./areas/start/start-page.tsx'),
  },
  {
    name: 'approvals',
    path: '/approvals',
    group: 'top',
    icon: CircleCheckBig,
    role: 'viewer',
    load: () => import('./areas/approvals/approvals-page.tsx'),
  },
  {
    name: 'keys',
    path: '/keys',
    group: 'build',
    icon: KeyRound,
    role: 'viewer',
    load: () => import('./areas/keys/keys-page.tsx'),
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    group: 'build',
    icon: Webhook,
    role: 'member',
    load: () => import('./areas/webhooks/webhooks-page.tsx'),
  },
  {
    name: 'requests',
    path: '/requests',
    group: 'build',
    icon: ScrollText,
    role: 'viewer',
    load: () => import('./areas/requests/requests-page.tsx'),
  },
  {
    name: 'activity',
    path: '/activity',
    group: 'build',
    icon: History,
    role: 'viewer',
    load: () => import('./areas/activity/activity-page.tsx'),
  },
  {
    name: 'data',
    path: '/data',
    group: 'records',
    icon: Database,
    role: 'viewer',
    load: () => import('./areas/data/data-page.tsx'),
    detail: { path: '/$name', load: () => import('./areas/data/collection-page.tsx') },
  },
  {
    name: 'sites',
    path: '/sites',
    group: 'records',
    icon: Globe,
    role: 'viewer',
    load: () => import('./areas/sites/sites-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/sites/site-page.tsx') },
  },
  {
    name: 'media',
    path: '/media',
    group: 'records',
    icon: Image,
    role: 'viewer',
    load: () => import('./areas/media/media-page.tsx'),
  },
  {
    name: 'assistant',
    path: '/assistant',
    group: 'records',
    icon: Bot,
    role: 'member',
    load: () => import('./areas/assistant/assistant-page.tsx'),
  },
  {
    name: 'numbers',
    path: '/numbers',
    group: 'records',
    icon: Phone,
    role: 'viewer',
    load: () => import('./areas/numbers/numbers-page.tsx'),
    detail: { path: '/$id', load: () => import('./areas/numbers/number-page.tsx') },
  },
  {
    name: 'calls',
    path: '/calls',
    group: 'records',
    icon: PhoneCall,
    role: 'viewer',
    load: () => import('./areas/calls/calls-page.tsx'),
  },
  {
    name: 'test_call',
    path: '/test-call',
    group: 'records',
    icon: PhoneForwarded,
    role: 'member',
    load: () => import('./areas/test-call/test-call-page.tsx'),
  },
  {
    name: 'go_live',
    path: '/go-live',
    group: 'business',
    icon: Rocket,
    role: 'viewer',
    load: () => import('./areas/go-live/go-live-page.tsx'),
  },
  {
    name: 'billing',
    path: '/billing',
    group: 'business',
    icon: CreditCard,
    role: 'viewer',
    load: () => import('./areas/billing/billing-page.tsx'),
  },
  {
    name: 'team',
    path: '/team',
    group: 'business',
    icon: Users,
    role: 'viewer',
    load: () => import('./areas/team/team-page.tsx'),
  },
  {
    name: 'company',
    path: '/company',
    group: 'business',
    icon: BadgeCheck,
    role: 'viewer',
    load: () => import('./areas/company/company-page.tsx'),
  },
  {
    name: 'settings',
    path: '/settings',
    group: 'business',
    icon: Settings,
    role: 'viewer',
    load: () => import('./areas/settings/settings-page.tsx'),
  },
]
