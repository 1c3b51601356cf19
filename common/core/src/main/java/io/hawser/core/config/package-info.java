/**
 * Configuration as one typed list. A {@link io.hawser.core.config.ConfigKey} is declared once, with its name, unit,
 * default, range and a sentence; the flag {@code --name}, the environment variable {@code HAWSER_NAME} and the line
 * {@code name=…} of the file that {@code --config} names all come from it. Flags win over the environment, the
 * environment over the file, the file over the default. {@link io.hawser.core.config.Config} is the result, and
 * reports every problem at once.
 */
@NullMarked
package io.hawser.core.config;

import org.jspecify.annotations.NullMarked;
