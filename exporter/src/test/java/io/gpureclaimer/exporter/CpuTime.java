package io.gpureclaimer.exporter;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the whole process per operation, on all its threads: what a machine that other
 * programs use as well does not stretch. Give it to JMH as {@code -prof}.
 */
public final class CpuTime implements InternalProfiler {
  private static final double NANOS_PER_MICRO = 1_000;

  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long before;

  @Override
  public String getDescription() {
    return "CPU time of the process per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = process.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double micros = (process.getProcessCpuTime() - before) / NANOS_PER_MICRO;
    return List.of(
        new ScalarResult(
            "cpu", micros / result.getMetadata().getAllOps(), "us/op", AggregationPolicy.AVG));
  }
}
