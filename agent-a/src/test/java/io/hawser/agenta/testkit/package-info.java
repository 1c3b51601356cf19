/** What the tests of agent-a share. */
@NullMarked
package io.hawser.agenta.testkit;

import org.jspecify.annotations.NullMarked;
