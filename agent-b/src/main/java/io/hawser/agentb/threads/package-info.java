/** The threads of agent-b's blocking work. */
@NullMarked
package io.hawser.agentb.threads;

import org.jspecify.annotations.NullMarked;
