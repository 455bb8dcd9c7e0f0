import "@cloudscape-design/global-styles/index.css";
import "./app/console.css";

import { createRoot } from "react-dom/client";

import { Start } from "./app/Start";
import { followTheme } from "./app/theme";

followTheme();
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Start />);
