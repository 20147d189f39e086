package io.gpureclaimer.verification.scenario.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A scenario on a real cluster: its tests may take a {@link TestCluster} and {@link Replicas} of
 * the reclaimer. After a failure, what the cluster looked like is in {@code target/scenarios}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cluster")
@ExtendWith({ClusterExtension.class, ReplicasExtension.class})
public @interface OnCluster {}
