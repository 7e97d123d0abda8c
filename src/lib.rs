//! The addon: conversion and scheduling between JavaScript and the core.
