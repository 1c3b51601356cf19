/** The page at {@code /} of a node in real headless Chromium, and the pictures of it in the documents. */
@NullMarked
package io.hawser.it.page;

import org.jspecify.annotations.NullMarked;
