/** Makes from the code what describes the commands: reference pages of the documents, man pages, shell completion. */
@NullMarked
package io.hawser.release.pages;

import org.jspecify.annotations.NullMarked;
