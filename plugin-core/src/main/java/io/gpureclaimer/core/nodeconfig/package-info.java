/** Which of several configurations a node has, chosen by a label of the Node. */
@NullMarked
package io.gpureclaimer.core.nodeconfig;

import org.jspecify.annotations.NullMarked;
