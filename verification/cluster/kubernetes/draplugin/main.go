// Serves made-up devices to a kubelet by dynamic resource allocation, so that pods can claim what a
// simulated driver simulates. What it publishes stands in a file, a list of slices as the API has
// them. A container finds each device that it was given in a variable: DEVICE_GPU_0 for gpu-0, with
// the device's uuid.
//
//	draplugin DRIVER FILE
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	resource "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	"k8s.io/dynamic-resource-allocation/resourceslice"
	"sigs.k8s.io/yaml"
)

const cdi = "/var/run/cdi"

type devices struct {
	driver string
}

func (d *devices) PrepareResourceClaims(_ context.Context, claims []*resource.ResourceClaim) (map[types.UID]kubeletplugin.PrepareResult, error) {
	prepared := map[types.UID]kubeletplugin.PrepareResult{}
	for _, claim := range claims {
		given := kubeletplugin.PrepareResult{}
		for _, result := range claim.Status.Allocation.Devices.Results {
			if result.Driver == d.driver {
				given.Devices = append(given.Devices, kubeletplugin.Device{
					Requests:     []string{result.Request},
					PoolName:     result.Pool,
					DeviceName:   result.Device,
					ShareID:      result.ShareID,
					CDIDeviceIDs: []string{d.kind() + "=" + result.Device},
				})
			}
		}
		prepared[claim.UID] = given
		log.Printf("prepared %s/%s: %v", claim.Namespace, claim.Name, given.Devices)
	}
	return prepared, nil
}

func (d *devices) UnprepareResourceClaims(_ context.Context, claims []kubeletplugin.NamespacedObject) (map[types.UID]error, error) {
	results := map[types.UID]error{}
	for _, claim := range claims {
		results[claim.UID] = nil
		log.Printf("took back %s", claim)
	}
	return results, nil
}

func (d *devices) HandleError(_ context.Context, err error, what string) {
	if !errors.Is(err, kubeletplugin.ErrRecoverable) {
		log.Fatalf("%s: %v", what, err)
	}
	log.Printf("%s: %v", what, err)
}

func (d *devices) kind() string {
	return "test." + d.driver + "/device"
}

// describe returns the CDI description of a device for container runtimes.
func (d *devices) describe(slices []resourceslice.Slice) error {
	type object map[string]any
	described := []object{}
	for _, slice := range slices {
		for _, device := range slice.Devices {
			value := device.Name
			if uuid := device.Attributes["uuid"].StringValue; uuid != nil {
				value = *uuid
			}
			variable := "DEVICE_" + strings.ToUpper(strings.ReplaceAll(device.Name, "-", "_"))
			described = append(described, object{
				"name":           device.Name,
				"containerEdits": object{"env": []string{variable + "=" + value}},
			})
		}
	}
	text, err := json.Marshal(object{"cdiVersion": "0.6.0", "kind": d.kind(), "devices": described})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(cdi, d.driver+".json"), text, 0o644)
}

// read takes no field that the API does not know.
func read(file string) (slices []resourceslice.Slice, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	// Not strictly: a key may override a merged one.
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&slices)
	return slices, err
}

func run(driver, file, node string) error {
	slices, err := read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	d := &devices{driver: driver}
	if err := d.describe(slices); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(kubeletplugin.KubeletPluginsDir, driver), 0o750); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	plugin, err := kubeletplugin.Start(ctx, d, kubeletplugin.DriverName(driver),
		kubeletplugin.NodeName(node), kubeletplugin.KubeClient(client))
	if err != nil {
		return err
	}
	defer plugin.Stop()
	// One pool with the name of the node, as NVIDIA's driver has it.
	if err := plugin.PublishResources(ctx, resourceslice.DriverResources{
		Pools: map[string]resourceslice.Pool{node: {Slices: slices}},
	}); err != nil {
		return err
	}
	log.Printf("serving %d slices as %s", len(slices), driver)
	<-ctx.Done()
	return nil
}

func main() {
	if len(os.Args) != 3 || os.Getenv("NODE_NAME") == "" {
		fmt.Fprintln(os.Stderr, "draplugin: expected a driver's name and a file of slices, and NODE_NAME in the environment")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Getenv("NODE_NAME")); err != nil {
		log.Fatal(err)
	}
}
