/**
 * The control connection. {@link io.hawser.agenta.ftp.control.ControlChannel} makes commands of bytes and bytes of replies; {@link
 * io.hawser.agenta.ftp.control.CommandPipeline} runs one command after the other and keeps the replies in order. A {@link
 * io.hawser.agenta.ftp.control.RunningCommand} is a command whose final reply is still to come.
 */
@NullMarked
package io.hawser.agenta.ftp.control;

import org.jspecify.annotations.NullMarked;
