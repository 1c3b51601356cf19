/** What a program may expect of a socket, tried at the JDK's sockets and at PTCP's alike. */
@NullMarked
package io.hawser.ptcp.contract;

import org.jspecify.annotations.NullMarked;
