//go:build tools

// Package etcd names the program that the test cluster runs, so that go.sum covers it.
package etcd

import _ "go.etcd.io/etcd/server/v3"
