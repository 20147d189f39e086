/** What people install and copy: the chart, the manifests rendered from it, the examples. */
@NullMarked
package io.gpureclaimer.verification.deploy;

import org.jspecify.annotations.NullMarked;
