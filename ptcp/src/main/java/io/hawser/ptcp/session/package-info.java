/**
 * What a session decides, without sockets, clocks or threads: its phases, the proof of the join secret, which streams there
 * are, when a peer counts as dead, when a lost stream is dialled again, and when an orderly close is complete. Internal to
 * the module.
 */
@NullMarked
package io.hawser.ptcp.session;

import org.jspecify.annotations.NullMarked;
