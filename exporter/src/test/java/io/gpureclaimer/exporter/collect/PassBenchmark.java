package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A sampling pass over eight GPUs of the stub; nvml_floor.c makes the same calls. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PassBenchmark {
  @Param({"default", "all"})
  public String counters = "default";

  /** How long the stub lets each call take, at least. */
  @Param({"0", "1000", "10000", "50000"})
  public long nanosPerCall;

  private StubNode node = StubNode.build(StubNode.Wanted.DEFAULT);

  @Setup
  public void prepare() {
    node.close();
    node = StubNode.build(StubNode.Wanted.valueOf(counters.toUpperCase(Locale.ROOT)));
    node.take(Duration.ofNanos(nanosPerCall));
  }

  @TearDown
  public void close() {
    node.close();
  }

  @Benchmark
  public PassResult pass() {
    return node.run();
  }
}
