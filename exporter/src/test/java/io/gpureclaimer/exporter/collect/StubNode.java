package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.nvml.CallTrace;
import io.gpureclaimer.nvml.NvmlStub;
import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sampling passes over eight GPUs of the stub in C, through the real binding, as fast as can be.
 */
final class StubNode implements AutoCloseable {
  private static final int GPUS = 8;

  private final NvmlStub stub;
  private final CallTrace trace;
  private final Set<DcgmField> wanted;
  private final SampledNode node;

  private StubNode(NvmlStub stub, Set<DcgmField> wanted, boolean overheard) {
    this.stub = stub;
    this.wanted = wanted;
    stub.control().stub_benchmark(GPUS);
    trace = new CallTrace(stub.lib());
    LibNvml library = overheard ? trace.overheard() : stub.lib();
    node =
        new SampledNode(
            library,
            AllCollectors.with(MonotonicClock.SYSTEM),
            MonotonicClock.SYSTEM,
            Clock.systemUTC());
  }

  /** What a pass asks for. */
  enum Wanted {
    /** The built-in counters, and what the ledger needs in addition. */
    DEFAULT,
    /** Whatever can be asked for. */
    ALL;

    Set<DcgmField> fields() {
      return switch (this) {
        case ALL -> DcgmField.all().stream().collect(Collectors.toUnmodifiableSet());
        case DEFAULT -> {
          var fields = new HashSet<>(ClassicCounters.set().wanted());
          fields.add(DcgmField.PROF_GR_ENGINE_ACTIVE);
          fields.add(DcgmField.PROF_SM_ACTIVE);
          fields.add(DcgmField.PROF_PIPE_TENSOR_ACTIVE);
          fields.add(DcgmField.PROF_DRAM_ACTIVE);
          yield Set.copyOf(fields);
        }
      };
    }
  }

  /** In a folder of its own. */
  static StubNode build(Wanted wanted) {
    try {
      return new StubNode(
          NvmlStub.build(Files.createTempDirectory("stub")), wanted.fields(), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the calls of two passes, once all is known that is asked only once. */
  static void trace(NvmlStub stub, Wanted wanted, Path file) throws IOException {
    try (var node = new StubNode(stub, wanted.fields(), true)) {
      node.run();
      node.run();
      node.trace.begin();
      node.run();
      node.run();
      node.trace.write(file, 2);
    }
  }

  /** From now on every call takes at least so long. */
  void take(Duration aCall) {
    stub.control().stub_take(aCall.toNanos());
  }

  PassResult run() {
    return node.run(wanted);
  }

  @Override
  public void close() {
    node.close();
  }
}
