/** What people have to know of a node, told where they look: as Events on its Node. */
@NullMarked
package io.gpureclaimer.core.nodeevents;

import org.jspecify.annotations.NullMarked;
