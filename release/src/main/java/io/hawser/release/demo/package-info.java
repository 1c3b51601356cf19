/**
 * {@code hawser demo}: the main job on real processes, with each node killed on the way. {@link
 * io.hawser.release.demo.DemoCommand} is the command, {@code Demo} the story, {@code ChainWatch} what is measured.
 */
@NullMarked
package io.hawser.release.demo;

import org.jspecify.annotations.NullMarked;
