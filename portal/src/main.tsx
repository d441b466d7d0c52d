import { createRoot } from 'react-dom/client'
import './style.css'
createRoot(document.getElementById('root')!).render(<h1 className="p-4 text-xl">Portal</h1>)
