package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;

import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** Measures how long the kubelet waits: for a changed list, and for us after its restart. */
public final class OfferLatency {
  private static final int ROUNDS = 300;
  private static final int RESTARTS = 30;

  private OfferLatency() {}

  /** Prints the figures of docs/performance.md. */
  public static void main(String[] args) throws IOException {
    var folder = Files.createTempDirectory("kubelet");
    try (var kubelet = new FakeDeviceManager(folder);
        var host =
            new PluginHost(
                kubelet.socket(),
                KubeletTimeouts.USUAL,
                Allocatable.Unsupported::new,
                InstantSource.system(),
                System::nanoTime,
                new Random())) {
      kubelet.start();
      host.start();
      for (int size : new int[] {8, 8 * 48, 10_000}) {
        print("list of " + size + " devices, offered to received", lists(kubelet, host, size));
      }
      print("restart of the kubelet to the first list", restarts(kubelet));
    }
  }

  private static long[] lists(FakeDeviceManager kubelet, PluginHost host, int size) {
    var nanos = new long[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      var offered = Map.of(GPU, TestDevices.many(size + round % 2));
      long began = System.nanoTime();
      host.offer(offered);
      int expected = size + round % 2;
      await(() -> kubelet.capacity(GPU.value()) == expected);
      nanos[round] = System.nanoTime() - began;
    }
    return nanos;
  }

  private static long[] restarts(FakeDeviceManager kubelet) {
    var nanos = new long[RESTARTS];
    for (int round = 0; round < RESTARTS; round++) {
      kubelet.crash();
      kubelet.start();
      long began = System.nanoTime();
      await(() -> kubelet.capacity(GPU.value()) > 0);
      nanos[round] = System.nanoTime() - began;
    }
    return nanos;
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static void print(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.println(
        what
            + ": median "
            + millis(nanos[nanos.length / 2])
            + " ms, 99 of 100 within "
            + millis(nanos[nanos.length * 99 / 100])
            + " ms, longest "
            + millis(nanos[nanos.length - 1])
            + " ms");
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 10_000.0) / 100.0;
  }
}
