/** What every front of agent-a is given: the namespace, uploads and downloads, in no protocol's words. */
@NullMarked
package io.hawser.agenta.front;

import org.jspecify.annotations.NullMarked;
