/**
 * The {@code hawser} command. {@link io.hawser.ops.cli.Hawser} is its main class: it finds the commands of all modules
 * with {@link java.util.ServiceLoader}, parses, reads the {@linkplain io.hawser.core.config.Config configuration} and
 * turns every outcome into an {@link io.hawser.ops.cli.ExitCode}. A command is a public class that implements
 * {@link io.hawser.ops.cli.Subcommand}, has picocli's {@code @Command} and a line in
 * {@code META-INF/services/io.hawser.ops.cli.Subcommand} of its module. A command that runs a node hands it to
 * {@link io.hawser.ops.cli.NodeRunner}, which prints READY and ends it in order.
 */
@NullMarked
package io.hawser.ops.cli;

import org.jspecify.annotations.NullMarked;
