package io.gpureclaimer.verification.gpupack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** Program that loads one GPU for some time, and prints when it began and ended. */
public final class LoadProcess {
  static final String BEGIN = "begin ";
  static final String END = "end ";
  private static final long MEMORY_BYTES = 512L << 20;
  private static final int FIRST_ROUNDS = 1 << 12;
  private static final int MOST_ROUNDS = 1 << 28;
  private static final long KERNEL_NANOS = 20_000_000;

  private LoadProcess() {}

  /**
   * Runs it on the first GPU of {@code CUDA_VISIBLE_DEVICES}.
   *
   * @param args milliseconds of load
   */
  public static void main(String[] args) {
    long nanos = Long.parseLong(args[0]) * 1_000_000;
    CudaDriver driver =
        CudaDriver.load()
            .orElseThrow(() -> new IllegalStateException(CudaDriver.LIBRARY + " not found"));
    Clock clock = Clock.systemUTC();
    try (Arena arena = Arena.ofConfined()) {
      CudaDriver.Kernel kernel = driver.compile(ptx(), "spin", MEMORY_BYTES, arena);
      System.out.println(BEGIN + clock.instant());
      spin(kernel, nanos);
      System.out.println(END + clock.instant());
    }
  }

  /** Launches one kernel after the other, each of about 20 ms once their length is known. */
  private static void spin(CudaDriver.Kernel kernel, long nanos) {
    int rounds = FIRST_ROUNDS;
    long start = System.nanoTime();
    long launched = start;
    while (launched - start < nanos) {
      kernel.run(rounds);
      long now = System.nanoTime();
      if (now - launched < KERNEL_NANOS && rounds < MOST_ROUNDS) {
        rounds *= 2;
      }
      launched = now;
    }
  }

  private static String ptx() {
    try (InputStream text = LoadProcess.class.getResourceAsStream("spin.ptx")) {
      if (text == null) {
        throw new IllegalStateException("expected spin.ptx beside the classes, found none");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
