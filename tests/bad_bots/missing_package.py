"""Needs a package that nobody has."""

import no_such_package_of_the_boss

from harness import Bot, Turn, View


class Missing(Bot):
    def act(self, view: View) -> Turn:
        return no_such_package_of_the_boss.play(view) or Turn(view.hand[0])
