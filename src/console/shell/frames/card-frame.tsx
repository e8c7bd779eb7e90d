import '../../styles/front.css';
import { Link, Outlet } from '@tanstack/react-router';
import { Footer } from './footer.tsx';
import { Logo } from './logo.tsx';
import { PageTitle } from './page-title.tsx';
import { Preferences } from '../menus/preferences.tsx';

/** The frame of one small form: signing in, registering, setting up. */
const CardFrame = () => (
  <div className="front">
    <PageTitle />
    <header className="front-top">
      <Link to="/" className="front-logo">
        <Logo />
      </Link>
      <span className="top-space" />
      <Preferences />
    </header>
    <main className="card-page">
      <div className="card-sheet">
        <Outlet />
      </div>
    </main>
    <Footer />
  </div>
);

export default CardFrame;
